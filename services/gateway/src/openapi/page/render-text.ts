import { Html, html } from './html.js'

/** Paragraphs, lists of `- ` and `code`, which is all the Markdown that descriptions here are written in. */
export function renderText(markdown: string): Html {
  return html`${markdown.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n').filter((line) => line !== '')
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${renderLine(lines.join(' '))}</p> `
    return html`<ul>
      ${lines.map((line) => html`<li>${renderLine(line.slice(2))}</li>`)}
    </ul> `
  })}`
}

/** One line with its code spans. */
export function renderLine(line: string): Html {
  return html`${line.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
