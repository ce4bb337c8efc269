// Whoever talks to the daemon speaks of items and of the messages about them: an app imports this module alone.
@_exported public import TandemItems
@_exported public import Wire
