import { Agent } from 'node:http'
import { send } from '../clients/http-call.js'

/** JSON in, JSON out, over kept connections; every answer that is not 2xx is an error. */
export interface ApiClient {
  /** @param body text, or what becomes JSON */
  request<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  close(): void
}

export function openApi(url: string, token: string): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    async request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await send(agent, method, `${url}${path}`, token, text)
      if (answer.status < 200 || answer.status > 299)
        throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 500)}`)
      return (answer.body === '' ? undefined : JSON.parse(answer.body)) as Answer
    },
    close: () => agent.destroy(),
  }
}

/** @throws when an answer does not have as many items as were sent */
export function expectItems(what: string, found: number | undefined, sent: number): void {
  if (found !== sent) throw new Error(`${what}: ${found} of ${sent} items were written`)
}
