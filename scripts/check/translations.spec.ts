import { describe, expect, it } from '@jest/globals'
import { checkTranslations } from './translations.mjs'

const ENGLISH = `# Shop

[Русский](README.ru.md)

## Start

- one, see [configuration](docs/operate/configuration.md#limits), [ERP](docs/guides/erp.md)

![Search](docs/screenshots/search-light.png)

\`\`\`bash
# start it
npm start
\`\`\`

| What | Where |
|---|---|
| a | b |
`

const RUSSIAN = `# Магазин

[English](README.md)

## Запуск

- один, см. [настройку](docs/operate/configuration.md#limits), [ERP](docs/guides/erp.ru.md)

![Поиск](docs/screenshots/search-ru.png)

\`\`\`bash
# запустить
npm start
\`\`\`

| Что | Где |
|---|---|
| а | б |
`

const complaints = (russian: string, path = 'README.ru.md') =>
  checkTranslations([
    { path: 'README.md', text: ENGLISH, bytes: 0 },
    { path, text: russian, bytes: 0 },
  ])

describe('translated pages', () => {
  it('accepts a page that differs in prose and comments only', () => {
    expect(complaints(RUSSIAN)).toEqual([])
  })

  it.each([
    ['a heading of another level', RUSSIAN.replace('## Запуск', '### Запуск'), 'its headings'],
    ['a missing heading', RUSSIAN.replace('## Запуск\n', ''), 'its headings'],
    ['another command', RUSSIAN.replace('npm start', 'npm test'), 'its code blocks'],
    ['a missing comment', RUSSIAN.replace('# запустить\n', ''), 'its code blocks'],
    ['a missing row', RUSSIAN.replace('| а | б |\n', ''), 'its lists and tables'],
    ['an additional list item', RUSSIAN.replace('\n\n```', '\n- два\n\n```'), 'its lists and tables'],
    ['another picture', RUSSIAN.replace('search-ru', 'overview-ru'), 'it links to other pages'],
    ['a missing link', RUSSIAN.replace('(docs/operate/configuration.md#limits)', '(docs)'), 'it links to other pages'],
  ])('reports %s', (_what, text, complaint) => {
    expect(complaints(text)).toEqual([expect.stringContaining(`README.ru.md  ${complaint}`)])
  })

  it('reports a translation without an original', () => {
    expect(complaints(RUSSIAN, 'GUIDE.ru.md')).toEqual(['GUIDE.ru.md  translates GUIDE.md, which does not exist'])
  })
})
