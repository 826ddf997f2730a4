import { connect, type Socket } from 'node:net'

/** A connection on which a test says exactly what it wants, and reads what comes until it is closed. */
export interface RawConnection {
  socket: Socket
  /** all bytes that came so far */
  text(): string
  /** resolves when `text()` matches; fails after the deadline */
  until(pattern: RegExp, withinMs?: number): Promise<string>
  /** resolves with the milliseconds since the connection was made when it was closed by the other side */
  closed(withinMs?: number): Promise<number>
}

export async function openConnection(port: number, hello = ''): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const startedAt = performance.now()
  let text = ''
  let closedAt: number | undefined
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    changed()
  })
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      closedAt ??= performance.now()
      socket.destroy()
      changed()
    })
  }
  await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
  if (hello !== '') socket.write(hello)
  const wait = (isSo: () => boolean, withinMs: number, what: string): Promise<void> =>
    new Promise((done, fail) => {
      const timer = setTimeout(
        () => settle(() => fail(new Error(`${what} within ${withinMs} ms; came: ${text.slice(0, 500)}`))),
        withinMs,
      )
      const look = (): void => {
        if (isSo()) settle(done)
      }
      const settle = (end: () => void): void => {
        clearTimeout(timer)
        listeners.delete(look)
        end()
      }
      listeners.add(look)
      look()
    })
  return {
    socket,
    text: () => text,
    async until(pattern, withinMs = 20_000) {
      await wait(() => pattern.test(text), withinMs, `not ${pattern}`)
      return text
    },
    async closed(withinMs = 20_000) {
      await wait(() => closedAt !== undefined, withinMs, 'not closed')
      return (closedAt ?? 0) - startedAt
    },
  }
}
