/**
 * No server is available, or one does not start. The message is for the user at the terminal and needs no stack trace.
 */
export class StackUnavailable extends Error {
  override name = 'StackUnavailable'
}
