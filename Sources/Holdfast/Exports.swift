// The one place where inner modules are re-exported: an app writes `import Holdfast` and nothing
// else. What is `public` in them is the app's; what is `package` stays in this package.
@_exported public import HoldfastAudio
@_exported public import HoldfastModel
@_exported public import HoldfastPlatform
@_exported public import HoldfastStore
@_exported public import HoldfastTasks
