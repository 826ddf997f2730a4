declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  interface ImapServer {
    server: Server
    listen(port: number, host: string, listening: () => void): void
    close(closed?: () => void): void
    appendMessage(mailbox: string, flags: string[], internaldate: string | false, raw: string): void
    users: Record<string, { password: string }>
  }
  export default function hoodiecrow(options: object): ImapServer
}
