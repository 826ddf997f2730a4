import type { Page } from 'playwright-core'

/** Of a person who reads an unknown page, not prose. */
const WORDS_A_MINUTE = 200
/** To move the hand, aim and press, s. */
const CLICK_S = 1.5
/** For each character that is typed, s: 40 words a minute. */
const CHARACTER_S = 0.3

/** What a person does from the first page on. The machine's own time is not in it. */
export interface Effort {
  clicks: number
  /** that have to be read: of the controls that are used, their hints, the titles above them, and what is looked at */
  words: number
  /** of all that stands around those controls, settings that stay as they are included */
  shown: number
  seconds: number
}

export interface EffortMeter {
  /** what a person looks at to go on, such as a result */
  look: (text: string) => void
  type: (text: string) => void
  /** in a window that no page sees */
  clickOutside: () => void
  soFar: () => Effort
}

/** Counts clicks, typed characters, and words, each line of a page once. */
export async function measureEffort(page: Page): Promise<EffortMeter> {
  const [needed, around] = [new ReadLines(), new ReadLines()]
  let clicks = 0
  let characters = 0
  await page.exposeFunction('noteUse', (isClick: boolean, used: string[], near: string[]) => {
    if (isClick) clicks += 1
    needed.add(used)
    around.add(near)
  })
  await page.addInitScript(WATCH)
  return {
    look: (text) => needed.add([text]),
    type: (text) => void (characters += text.length),
    clickOutside: () => void (clicks += 1),
    soFar: () => ({
      clicks,
      words: needed.words,
      shown: around.words,
      seconds: (needed.words / WORDS_A_MINUTE) * 60 + clicks * CLICK_S + characters * CHARACTER_S,
    }),
  }
}

class ReadLines {
  private readonly read = new Set<string>()
  words = 0

  add(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.read.has(line)) continue
      this.read.add(line)
      this.words += line.match(/[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu)?.length ?? 0
    }
  }
}

/** In the page: a press, or a field that is entered, with the texts of the control and those of the part around it. */
const WATCH = `(() => {
  const linesOf = (part) => part?.innerText.split(/[\\n\\t]+/).map((line) => line.trim()).filter(Boolean) ?? []
  const note = (isClick, target) => {
    if (!(target instanceof Element)) return
    const control = target.closest('a, button, label, input, select, textarea') ?? target
    const title = document.querySelector('dialog[open] h2') ?? document.querySelector('h1')
    const hints = (control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean)
    const told = hints.map((id) => document.getElementById(id))
    const used = [title, control, control.closest('li'), ...(control.labels ?? []), ...told]
    const closed = [...document.querySelectorAll('option:not(:checked)')].map(({ text }) => text.trim())
    const part = control.closest('dialog, form, li, section, main, nav')
    const near = [...linesOf(title), ...linesOf(part)].filter((line) => !closed.includes(line))
    noteUse(isClick, used.flatMap(linesOf), near)
  }
  addEventListener('pointerdown', ({ target }) => note(true, target), true)
  addEventListener('focusin', ({ target }) => note(false, target), true)
})()`
