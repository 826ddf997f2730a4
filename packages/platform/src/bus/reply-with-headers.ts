/** The result of a handler whose reply has headers in addition to the body. */
export class ReplyWithHeaders<Body> {
  readonly body: Body
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>

  constructor(body: Body, headers: ReadonlyArray<readonly [name: string, value: string]>) {
    this.body = body
    this.headers = headers
  }
}
