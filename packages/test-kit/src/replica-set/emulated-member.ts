import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { type WireMessage, WireReader } from './wire-message.js'

/** Carries out one command of a client. @returns the bytes of the reply; undefined closes the connection */
export type Handler = (
  message: WireMessage,
  forward: (bytes: Buffer) => Promise<WireMessage>,
) => Promise<Buffer | undefined>

/** One address of an emulated replica set. Each connection of a client has one to the database behind it. */
export class EmulatedMember {
  port = 0
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()

  constructor(
    private readonly backend: { host: string; port: number },
    private readonly handle: Handler,
  ) {}

  get address(): string {
    return `127.0.0.1:${this.port}`
  }

  get isUp(): boolean {
    return this.server !== undefined
  }

  /** Listens; again on the same port after {@link stop}. */
  async start(): Promise<void> {
    const server = createServer((client) => this.serve(client))
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', done))
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  /** Ends as a killed process does: all connections break, and others are refused. */
  async stop(): Promise<void> {
    const server = this.server
    this.server = undefined
    for (const socket of this.sockets) socket.destroy()
    if (server) await new Promise((done) => server.close(done))
  }

  private serve(client: Socket): void {
    const backend = connect(this.backend)
    const waiting: { resolve(reply: WireMessage): void; reject(error: Error): void }[] = []
    const replies = new WireReader()
    backend.on('data', (chunk) => {
      for (const reply of replies.push(chunk)) waiting.shift()?.resolve(reply)
    })
    backend.on('close', () => {
      for (const { reject } of waiting) reject(new Error('the database closed the connection'))
      client.destroy()
    })
    const forward = (bytes: Buffer): Promise<WireMessage> =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        backend.write(bytes)
      })
    let work = Promise.resolve()
    const commands = new WireReader()
    client.on('data', (chunk) => {
      for (const command of commands.push(chunk))
        work = work.then(async () => {
          const reply = await this.handle(command, forward).catch(() => undefined)
          if (reply && !client.destroyed) client.write(reply)
          else client.destroy()
        })
    })
    for (const socket of [client, backend]) {
      this.sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => this.sockets.delete(socket))
    }
    // when the client closes, the other connection stays for what it has sent
  }
}
