/** No server can be had, or one does not start. The message is made for a person at a terminal; no stack trace belongs to it. */
export class StackUnavailable extends Error {
  override name = 'StackUnavailable'
}
