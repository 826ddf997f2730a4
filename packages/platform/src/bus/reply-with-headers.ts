/** What a handler returns when its reply has headers beside the body. */
export class ReplyWithHeaders<Body> {
  readonly body: Body
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>

  constructor(body: Body, headers: ReadonlyArray<readonly [name: string, value: string]>) {
    this.body = body
    this.headers = headers
  }
}
