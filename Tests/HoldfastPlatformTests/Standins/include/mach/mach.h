#pragma once
#include <stdint.h>

typedef int kern_return_t;
typedef unsigned int mach_msg_type_number_t;
typedef unsigned int mach_port_t;
typedef int *task_info_t;
typedef struct task_vm_info {
  uint64_t phys_footprint;
} task_vm_info_data_t;
#define KERN_SUCCESS 0
#define TASK_VM_INFO 22
#define TASK_VM_INFO_COUNT \
  ((mach_msg_type_number_t)(sizeof(task_vm_info_data_t) / sizeof(unsigned int)))
mach_port_t mach_task_self(void);
kern_return_t task_info(
    mach_port_t task, unsigned int flavor, task_info_t info, mach_msg_type_number_t *count);
