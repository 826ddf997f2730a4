import type { Locator } from 'playwright-core'
import type { Visitor } from './browser.js'

/** Files of a supplier, and how a person brings them to a page. */
export interface PriceFile {
  name: string
  bytes: Buffer
}

/** Chooses a file on the page of a list, and waits for its preview. */
export async function choose({ page }: Visitor, { name, bytes }: PriceFile): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: bytes })
  await page.waitForURL(/\/format\?preview=/)
  await page.getByRole('heading', { name: `File: ${name}` }).waitFor()
}

/** Drops a file from the desktop on an element. */
export async function dropOn(target: Locator, { name, bytes }: PriceFile): Promise<void> {
  const dataTransfer = await target.page().evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}, { type: 'text/csv' }))
    return transfer
  })()`)
  for (const event of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(event, { dataTransfer })
}

/** Russian letters have one byte each, from 0xC0 on. */
export function encodeWindows1251(text: string): Buffer {
  return Buffer.from([...text].map((letter) => encodeLetter(letter.codePointAt(0) ?? 0)))
}

function encodeLetter(code: number): number {
  if (code < 0x80) return code
  if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0
  throw new Error(`not in this table: ${String.fromCodePoint(code)}`)
}
