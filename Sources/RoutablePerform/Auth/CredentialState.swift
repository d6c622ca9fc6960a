// Decides, without I/O, when a credential may be used and when it must be refreshed first (statement A5).

/// One credential through its generations.  The owner locks around each call.
struct CredentialState: Sendable {
    /// What a transfer does next.
    enum Decision: Equatable {
        /// Go out with this generation.
        case go(Int)
        /// Refresh the credential, and ask again when that has ended.
        case refresh
        /// Another one refreshes it: ask again when that has ended.
        case wait
        /// There is no token, and no way to obtain one.
        case missing
        /// The refresh of this generation has failed already.
        case failed
        /// It was refreshed too often.
        case excessive
        /// The service rejects a credential that cannot be refreshed: its response is the outcome.
        case refused
    }

    /// More refreshes than that within this time are one too many.
    static let maximumRefreshes = 5
    static let window: Int64 = 30_000
    /// A token that was used for less is counted, also if its lifetime has ended: a service may issue tokens without any.
    private static let shortestLife: Int64 = 500
    /// A token is not used in its last seconds: on its way it would expire.
    private static let margin: Int64 = 10_000

    /// Grows with each new token.
    private(set) var generation = 0
    private(set) var hasToken: Bool
    private(set) var canRefresh: Bool
    private(set) var isRefreshing = false
    /// From then on it is refreshed before it is used.
    private(set) var staleAt = Int64.max
    private var failedGeneration = -1
    /// The generation that the last refresh was for.
    private var begunGeneration = -1
    /// When this generation began.
    private var since: Int64 = 0
    /// When the refreshes of the last time began, except those at the end of a lifetime.
    private var begun: [Int64] = []

    init(hasToken: Bool, canRefresh: Bool, lifetime: Int64? = nil, now: Int64 = 0) {
        self.hasToken = hasToken
        self.canRefresh = canRefresh
        setLifetime(lifetime, now)
    }

    /// Whether there is a way to a new token, and one to go out with: the description of the request says it as well.
    mutating func know(hasToken: Bool, canRefresh: Bool) {
        self.hasToken = hasToken
        self.canRefresh = canRefresh
    }

    /// Before a request goes out.
    mutating func admit(now: Int64) -> Decision {
        if isRefreshing { return .wait }
        if hasToken && now < staleAt { return .go(generation) }
        if !canRefresh { return hasToken ? .go(generation) : .missing }
        return failedGeneration == generation ? .failed : begin(now)
    }

    /// After the service has refused a request that went out with that generation.
    mutating func refused(_ sent: Int, now: Int64) -> Decision {
        if isRefreshing { return .wait }
        if sent != generation { return admit(now: now) }
        if !canRefresh { return .refused }
        return failedGeneration == generation ? .failed : begin(now)
    }

    private mutating func begin(_ now: Int64) -> Decision {
        begun.removeAll { now &- $0 >= Self.window }
        if !hasLived(now) {
            if begun.count >= Self.maximumRefreshes { return .excessive }
            begun.append(now)
        }
        begunGeneration = generation
        isRefreshing = true
        return .refresh
    }

    /// Whether the token has reached the end of its lifetime, and this is the first refresh after it: it says nothing about the service
    /// but that its tokens are short.
    private func hasLived(_ now: Int64) -> Bool {
        hasToken && now >= staleAt && now &- since >= Self.shortestLife && begunGeneration != generation
    }

    /// Ends a refresh that brought a token.  Returns whether the token is used: not if the program has set another credential
    /// since generation `old`, when the refresh began.
    mutating func refreshed(_ old: Int, lifetime: Int64?, now: Int64) -> Bool {
        isRefreshing = false
        guard old == generation else { return false }
        generation &+= 1
        hasToken = true
        setLifetime(lifetime, now)
        return true
    }

    /// It brought none.  One that is final is not repeated for this generation.
    mutating func refreshFailed(_ old: Int, isFinal: Bool) {
        isRefreshing = false
        if isFinal && old == generation { failedGeneration = generation }
    }

    /// It brought none, and another way is left: those that wait ask again.
    mutating func refreshEnded(_ old: Int) {
        isRefreshing = false
        if old == generation { staleAt = .min }
    }

    /// The host has set another credential.
    mutating func replaced(hasToken: Bool, canRefresh: Bool, lifetime: Int64?, now: Int64) {
        generation &+= 1
        self.hasToken = hasToken
        self.canRefresh = canRefresh
        begun = []
        setLifetime(lifetime, now)
    }

    private mutating func setLifetime(_ lifetime: Int64?, _ now: Int64) {
        since = now
        guard let lifetime else {
            staleAt = .max
            return
        }
        // A token of a few seconds is used for most of them.
        let life = max(0, min(lifetime, 1 << 42))
        staleAt = now &+ life &- min(Self.margin, life / 10)
    }
}
