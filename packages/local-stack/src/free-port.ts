import { createServer } from 'node:net'

/**
 * Ports are chosen below the range of outgoing connections: a killed server must find its port free when it is
 * restarted.
 */
const FIRST_PORT = 20_000
const PORTS = 12_000

/** True when no socket listens on the port, neither on 127.0.0.1 nor on all addresses. */
export async function isFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port))
}

/** A port that is free at this moment. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    if (await isFree(port)) return port
  }
}

function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}
