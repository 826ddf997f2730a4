import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, it } from '@jest/globals'
import { callHttp } from './http-call.js'

it('repeats a request on a kept connection that the server closes', async () => {
  const used = new Set<Socket>()
  const server = createServer((request, response) => {
    if (used.has(request.socket)) return request.socket.destroy()
    used.add(request.socket)
    return response.end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await callHttp({ agent, method: 'POST', url, headers: {}, write: (sent) => sent.end('body') })
      expect(answer).toMatchObject({ status: 200, body: 'ok' })
    }
  } finally {
    agent.destroy()
    server.close()
    server.closeAllConnections()
  }
})
