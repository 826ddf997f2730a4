import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/*
 * The yardstick for uploads: a process that writes a request's body to a file as it arrives. It answers `/synced` after
 * fsync, other paths after the last write. It sends its port to its parent; the first argument is the file.
 */
const path = process.argv[2] ?? ''

const server = createServer((request, response) => {
  void (async () => {
    const file = await open(path, 'w')
    for await (const piece of request as AsyncIterable<Buffer>) await file.write(piece)
    if (request.url === '/synced') await file.sync()
    await file.close()
    response.end('{}')
  })().catch((error: Error) => response.destroy(error))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
