import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { useShop } from '../testing/contract-product.js'

const run = promisify(execFile)
const runs = spawnSync('curl', ['--version']).status === 0 ? it : it.skip

/** The session of the guide with the address and the token of this product; `IMAGES` is where the catalog finds it. */
function session(url: string, adminToken: string): string {
  const text = readFileSync(new URL('../../docs/guides/first-session.md', import.meta.url), 'utf8')
  const [, body = ''] = /^```bash\n([\s\S]*?)^```$/m.exec(text) ?? []
  return body.replace(/^ADMIN=.*$/m, `ADMIN='${adminToken}' IMAGES='${url}'`).replace(/^BASE=.*$/m, `BASE='${url}'`)
}

describe('docs/guides/first-session.md', () => {
  const open = useShop()

  runs('is answered as it says, also when it is repeated', async () => {
    const { product } = open()
    for (let turn = 0; turn < 2; turn++) {
      const { stdout } = await run('bash', ['-uc', session(product.url, product.adminToken)], { timeout: 60_000 })
      const lines = stdout.split('\n').filter((line) => line !== '')
      const image = lines.find((line) => !line.startsWith('{'))
      const answers = lines.filter((line) => line !== image).map((line): unknown => JSON.parse(line))
      const written = { processed: 1, errors: [] }
      expect(image).toBe('200 image/png')
      expect(answers).toMatchObject([
        { erp_enabled: true },
        { status: 'ok' },
        written,
        written,
        written,
        { erp_id: 'P-1', media: [{ mime_type: 'image/png' }] },
        { data: expect.arrayContaining([expect.objectContaining({ quantity: 12 })]) },
        { errors: { '0.name': [expect.any(String)] } },
        { b2b_enabled: true },
        { task: { status: 'completed', imported_rows: 2, skipped_rows: 1 } },
        { data: [{ code: 'NO_ARTICLE' }] },
        { result: true, brands: [{ brand: 'CLARIS' }] },
        { result: true, parts: expect.arrayContaining([expect.objectContaining({ price: 1_357.95 })]) },
        { result: true },
      ])
    }
  })
})
