import { expect, it } from '@jest/globals'
import { mediaFileName } from './file-name.js'
import { loggableUrl } from './shown-url.js'

it.each([
  ['https://erp.example/img/door.JPEG?x=1', 'image/jpeg', 'door.jpg'],
  ['https://erp.example/img/door.jpg', 'image/webp', 'door.webp'],
  ['https://erp.example/%D1%84%D0%BE%D1%82%D0%BE/Дверь №7.png', 'image/png', 'Dver-No7.png'],
  ['https://erp.example/', 'image/gif', 'image.gif'],
  ['https://erp.example/..%2f..%2fetc%2fpasswd', 'image/png', 'etc-passwd.png'],
  ['https://erp.example/a%00b%0d%0a"<>.png', 'image/png', 'a-b.png'],
  ['https://erp.example/%E0%A4%A', 'image/png', 'E0-A4-A.png'],
  ['https://erp.example/image.php', 'image/jpeg', 'image.jpg'],
  [`https://erp.example/${'n'.repeat(300)}.png`, 'image/png', `${'n'.repeat(100)}.png`],
] as const)('%s of %s is served as %s', (url, type, name) => expect(mediaFileName(url, type)).toBe(name))

it.each([
  ['https://user:secret@erp.example/a.png?token=secret#secret', 'https://erp.example/a.png?…'],
  ['not a url?token=secret', 'not a url?…'],
  ['https://user:secret@erp.example:99999/a.png?token=secret', 'https://***@erp.example:99999/a.png?…'],
  ['https://erp.example/a.png', 'https://erp.example/a.png'],
])('%s is logged without what it may hold', (url, shown) => expect(loggableUrl(url)).toBe(shown))
