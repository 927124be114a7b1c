// swift-format-ignore-file

// Stand-in: the part of SwiftUI that is used here, declared about as in Apple's SDK.

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { return fatalError() } }

@MainActor public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}
extension Never: Scene {}

@MainActor public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

@resultBuilder public enum ViewBuilder {
  @MainActor public static func buildBlock<each V: View>(_ view: repeat each V) -> AnyView {
    AnyView()
  }
}
@resultBuilder public enum SceneBuilder {
  @MainActor public static func buildBlock<S: Scene>(_ scene: S) -> S { scene }
}

public struct AnyView: View {
  public typealias Body = Never
  public var body: Never { return fatalError() }
}
public struct Text: View {
  public init(_ text: String) {}
  public typealias Body = Never
  public var body: Never { return fatalError() }
}
public struct List: View {
  public init<D: RandomAccessCollection, R: View>(
    _ data: D, @ViewBuilder row: @escaping (D.Element) -> R
  ) where D.Element: Identifiable {}
  public typealias Body = Never
  public var body: Never { return fatalError() }
}
public struct WindowGroup: Scene {
  public init<V: View>(@ViewBuilder _ content: () -> V) {}
  public typealias Body = Never
  public var body: Never { return fatalError() }
}

public enum ScenePhase: Sendable, Equatable { case active, inactive, background }
public struct EnvironmentValues { public var scenePhase: ScenePhase { .active } }

@MainActor @propertyWrapper public struct Environment<V> {
  private let path: KeyPath<EnvironmentValues, V>
  public init(_ path: KeyPath<EnvironmentValues, V>) { self.path = path }
  public var wrappedValue: V { EnvironmentValues()[keyPath: path] }
}
@MainActor @propertyWrapper public struct State<V> {
  private let value: V
  public init(wrappedValue: V) { value = wrappedValue }
  public var wrappedValue: V {
    get { value }
    nonmutating set {}
  }
}

extension Scene {
  public func onChange<V: Equatable>(of value: V, _ action: @escaping (V, V) -> Void) -> Self {
    self
  }
}
extension View {
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View {
    AnyView()
  }
}
