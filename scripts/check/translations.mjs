// @ts-check
/** A translated page (`README.ru.md`) has the headings, code blocks and links of its original (`README.md`). */

/** @typedef {import('./places.mjs').File} File */

/** @param {File[]} files @returns {string[]} complaints, none when all is well */
export function checkTranslations(files) {
  return files.flatMap(({ path, text }) => {
    const [, stem, language] = /^(.*)\.([a-z]{2})\.md$/.exec(path) ?? []
    if (!stem || !language) return []
    const original = files.find((file) => file.path === `${stem}.md`)
    if (!original) return [`${path}  translates ${stem}.md, which does not exist`]
    return compare(outline(original.text, language), outline(text, language)).map((what) => `${path}  ${what}`)
  })
}

/** @typedef {{ headings: string[], blocks: string[], rows: string[], links: string[] }} Outline */

/** @type {Array<[keyof Outline, string]>} */
const PARTS = [
  ['headings', 'its headings have other levels than those of the original'],
  ['blocks', 'its code blocks differ from those of the original in more than comments'],
  ['rows', 'its lists and tables have other rows than those of the original'],
  ['links', 'it links to other pages than the original'],
]

/** @param {Outline} original @param {Outline} translation */
function compare(original, translation) {
  return PARTS.flatMap(([part, complaint]) => {
    const missing = original[part].find((one, at) => one !== translation[part][at])
    const extra = translation[part][original[part].length]
    const shown = missing ?? extra
    return shown === undefined ? [] : [`${complaint}: ${shown.split('\n').find((line) => line !== '') ?? ''}`]
  })
}

/** The parts that are the same in every language. @param {string} text @param {string} language @returns {Outline} */
function outline(text, language) {
  // a block without a language is a drawing, whose words are translated
  const blocks = [...text.matchAll(/^```[^\n]*\n[\s\S]*?^```$/gm)].map(([block]) =>
    block.startsWith('```\n') ? '``` a drawing' : block.replace(/^# .*$/gm, '# a comment'),
  )
  const prose = text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '')
  const lines = prose.split('\n')
  return {
    headings: lines.flatMap((line) => /^#+(?= )/.exec(line)?.[0] ?? []),
    blocks,
    rows: lines.flatMap((line) => {
      if (line.startsWith('|')) return `| ${line.split('|').length - 2} cells |`
      return /^(-|\d+\.)(?= )/.exec(line)?.[0] ?? []
    }),
    // each page links to the other one, and may show a page of the product in its language
    links: [...prose.matchAll(/\]\(([^()\s]+)\)/g)]
      .map(([, link = '']) => link.replace(new RegExp(`\\.${language}\\.md(?=#|$)`), '.md'))
      .map((link) => link.replace(new RegExp(`-${language}\\.png$`), '-light.png'))
      .toSorted(),
  }
}
