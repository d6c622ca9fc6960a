// Decides, without I/O, when a credential may be used and when it must be refreshed first (statement A5).

/// The state of one credential and its generations.  The owner locks around each call.
struct CredentialState: Sendable {
    /// The next step of a transfer.
    enum Decision: Equatable {
        /// Send the request with this generation.
        case go(Int)
        /// Refresh the credential, and ask for a decision again when the refresh has ended.
        case refresh
        /// A refresh is in progress: ask for a decision again when it has ended.
        case wait
        /// There is no token, and no way to obtain one.
        case missing
        /// The refresh of this generation has failed already.
        case failed
        /// The credential was refreshed too often.
        case excessive
        /// The service rejects a credential that cannot be refreshed: its response is the outcome.
        case refused
    }

    /// The maximum number of refreshes within the window.
    static let maximumRefreshes = 5
    static let window: Int64 = 30_000
    /// A refresh is counted if the token was used for less than this time, even if its lifetime has ended: a service may issue tokens with
    /// a lifetime of 0.
    private static let shortestLife: Int64 = 500
    /// A token is not used in the last seconds of its lifetime, because it could expire before the service receives it.
    private static let margin: Int64 = 10_000

    /// Incremented with each new token.
    private(set) var generation = 0
    private(set) var hasToken: Bool
    private(set) var canRefresh: Bool
    private(set) var isRefreshing = false
    /// The time from which the credential is refreshed before it is used.
    private(set) var staleAt = Int64.max
    private var failedGeneration = -1
    /// The generation that the last refresh was for.
    private var begunGeneration = -1
    /// The time at which this generation began.
    private var since: Int64 = 0
    /// The times at which the refreshes within the window began, except those at the end of a lifetime.
    private var begun: [Int64] = []

    init(hasToken: Bool, canRefresh: Bool, lifetime: Int64? = nil, now: Int64 = 0) {
        self.hasToken = hasToken
        self.canRefresh = canRefresh
        setLifetime(lifetime, now)
    }

    /// Sets whether there is a token to send and a way to obtain a new one, which also depends on the description of the request.
    mutating func know(hasToken: Bool, canRefresh: Bool) {
        self.hasToken = hasToken
        self.canRefresh = canRefresh
    }

    /// The decision before a request is sent.
    mutating func admit(now: Int64) -> Decision {
        if isRefreshing { return .wait }
        if hasToken && now < staleAt { return .go(generation) }
        if !canRefresh { return hasToken ? .go(generation) : .missing }
        return failedGeneration == generation ? .failed : begin(now)
    }

    /// The decision after the service has rejected a request that was sent with generation `sent`.
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

    /// Whether the token has reached the end of its lifetime, and this is the first refresh after it: such a refresh only means that the
    /// tokens have a short lifetime.
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

    /// Ends a refresh that failed.  If the failure is final, the refresh is not repeated for this generation.
    mutating func refreshFailed(_ old: Int, isFinal: Bool) {
        isRefreshing = false
        if isFinal && old == generation { failedGeneration = generation }
    }

    /// Ends a refresh that failed, if the token can be obtained in another way: waiting transfers ask for a decision again.
    mutating func refreshEnded(_ old: Int) {
        isRefreshing = false
        if old == generation { staleAt = .min }
    }

    /// Called when the program has set another credential.
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
        // A token with a lifetime of a few seconds is used for most of it.
        let life = max(0, min(lifetime, 1 << 42))
        staleAt = now &+ life &- min(Self.margin, life / 10)
    }
}
