import type { StoredMedia } from '@partsbus/contracts/catalog/media'
import transliterate from 'any-ascii'

const extensions: Record<StoredMedia['mime_type'], string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

const MAX_LENGTH = 100

/**
 * The name under which an image is served: that of its URL in ASCII characters that need no escaping, with the
 * extension of its type.
 * `https://erp/фото/Дверь №7.JPEG` of a PNG is `Dver-No7.png`.
 */
export function mediaFileName(url: string, type: StoredMedia['mime_type']): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const name = transliterate(decode(last))
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .replace(/[^a-z\d_.]+/gi, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_LENGTH)
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
  return `${name === '' ? 'image' : name}.${extensions[type]}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
