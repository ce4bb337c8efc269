import CCurl
import HTTP
import Synchronization

/// libcurl's multi handle and the transfers on it, on the curl thread alone (libcurl-thread(3)); other threads only
/// wake it (curl_multi_wakeup(3)).
final class MultiLoop {
    private static let spareHandles = 16
    private static let longestWait: Int32 = 3_600_000

    private let multi: UnsafeMutableRawPointer
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var spare: [EasyHandle] = []
    private var nextStallCheck: ContinuousClock.Instant?

    /// Takes over the multi handle.
    init(multi: UnsafeMutableRawPointer) {
        self.multi = multi
    }

    func add(_ transfer: Transfer) {
        guard !transfer.isCancelled.load(ordering: .acquiring) else {
            return transfer.fail(TransportError(.cancelled, "the request was cancelled"))
        }
        do throws(TransportError) {
            try start(transfer)
        } catch {
            curl_slist_free_all(transfer.headerList.take())
            transfer.fail(error)
        }
    }

    func cancel(_ transfer: Transfer) {
        stop(transfer, TransportError(.cancelled, "the request was cancelled"))
    }

    /// Lets libcurl do what can be done now.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let transfer = active[message.pointee.easy_handle] else {
                continue
            }
            finish(transfer, tandem_curl_message_result(message))
        }
        endStalled()
    }

    /// Blocks until a socket is ready, a timer is due or someone wakes the loop.
    func wait() {
        var timeout = Self.longestWait
        if let nextStallCheck {
            let left = ContinuousClock.now.duration(to: nextStallCheck)
            timeout = Int32(clamping: min(left.wholeMilliseconds, Int64(Self.longestWait)))
        }
        curl_multi_poll(multi, nil, 0, timeout, nil)
    }

    /// Ends every transfer and frees the multi handle with its connections.
    func close() {
        for transfer in active.values { cancel(transfer) }
        spare = []
        curl_multi_cleanup(multi)
    }

    private func start(_ transfer: Transfer) throws(TransportError) {
        let handle = if let spare = spare.popLast() { spare } else { try EasyHandle() }
        try transfer.configure(handle)
        let code = curl_multi_add_handle(multi, handle.pointer)
        guard code == CURLM_OK else { throw TransportError(.unreachable, String(cString: curl_multi_strerror(code))) }
        transfer.handle = handle
        active[handle.pointer] = transfer
        guard let limit = transfer.options.stallTimeout else { return }
        let check = ContinuousClock.now.advanced(by: limit)
        nextStallCheck = min(nextStallCheck ?? check, check)
    }

    private func finish(_ transfer: Transfer, _ result: CURLcode) {
        guard let handle = transfer.handle else { return }
        let error = result == CURLE_OK ? nil : TransportError(result, of: handle)
        release(transfer)
        if let error { transfer.fail(error) } else { transfer.succeed() }
    }

    private func stop(_ transfer: Transfer, _ error: TransportError) {
        guard transfer.handle != nil else { return }
        release(transfer)
        transfer.fail(error)
    }

    /// A handle that is removed before its end takes its connection with it (curl_multi_remove_handle(3)).
    private func release(_ transfer: Transfer) {
        guard let handle = transfer.handle.take() else { return }
        curl_multi_remove_handle(multi, handle.pointer)
        active[handle.pointer] = nil
        handle.reset()
        curl_slist_free_all(transfer.headerList.take())
        if spare.count < Self.spareHandles { spare.append(handle) }
    }

    /// libcurl's own `CURLOPT_LOW_SPEED_TIME` would wake this thread every second for as long as a stream is open.
    private func endStalled() {
        let now = ContinuousClock.now
        guard let due = nextStallCheck, due <= now else { return }
        for transfer in active.values where transfer.isStalled(at: now) {
            stop(transfer, TransportError(.interrupted, "nothing was sent or received for too long"))
        }
        nextStallCheck = active.values.compactMap(\.stallCheck).min()
    }
}

extension Transfer {
    /// When it would be stalled if nothing moved until then.
    fileprivate var stallCheck: ContinuousClock.Instant? {
        options.stallTimeout.map { lastProgress.advanced(by: $0) }
    }
}
