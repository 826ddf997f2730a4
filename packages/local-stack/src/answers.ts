import { connect } from 'node:net'

/** `{ping: 1, $db: 'admin'}` as an OP_MSG of the MongoDB wire protocol. */
const PING = mongoPing()

/** True when a MongoDB server at the address answers a ping with `ok: 1`. */
export async function mongoAnswers(port: number, host = '127.0.0.1'): Promise<boolean> {
  const reply = await exchange(
    { host, port },
    PING,
    (bytes) => bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0),
  )
  const ok = reply?.indexOf(Buffer.from('\x01ok\0', 'latin1')) ?? -1
  return reply !== undefined && ok >= 0 && reply.readDoubleLE(ok + 4) === 1
}

/** True when a NATS server sends its greeting at the address. */
export async function natsAnswers(port: number, host = '127.0.0.1'): Promise<boolean> {
  const greeting = await exchange({ host, port }, undefined, (bytes) => bytes.includes('\r\n'))
  return greeting?.toString('latin1').startsWith('INFO ') ?? false
}

/** True when a server accepts connections at the address. */
export async function accepts(host: string, port: number): Promise<boolean> {
  return (await exchange({ host, port }, undefined, () => true, true)) !== undefined
}

function exchange(
  address: { host: string; port: number },
  send: Buffer | undefined,
  isWhole: (received: Buffer) => boolean,
  connectOnly = false,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address)
    let received = Buffer.alloc(0)
    const finish = (result: Buffer | undefined) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(2_000, () => finish(undefined))
    socket.once('error', () => finish(undefined))
    socket.once('close', () => finish(undefined))
    socket.once('connect', () => {
      if (connectOnly) return finish(received)
      if (send !== undefined) socket.write(send)
    })
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (isWhole(received)) finish(received)
    })
  })
}

function mongoPing(): Buffer {
  const elements = Buffer.concat([
    Buffer.from('\x10ping\0\x01\0\0\0', 'latin1'),
    Buffer.from('\x02$db\0\x06\0\0\0admin\0', 'latin1'),
    Buffer.from([0]),
  ])
  const message = Buffer.alloc(25 + elements.length)
  message.writeInt32LE(message.length, 0)
  message.writeInt32LE(1, 4)
  message.writeInt32LE(2013, 12)
  message.writeInt32LE(elements.length + 4, 21)
  elements.copy(message, 25)
  return message
}
