export type CodePage = 'windows-1251' | 'ibm866' | 'koi8-r'

/** Occurrences of each letter in a thousand letters of Russian text. */
const FREQUENCIES =
  'о110 е85 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з17 б16 ч14 й12 х10 ж9 ш7 ю6 і5 ц5 ' +
  'щ4 э3 ф3 є2 ї2 ъ1 ё1 ґ1'
/** Of a sign that is no letter, like `№`, and of one that no price list has, like a corner of a frame. */
const RARE = 0.0005
/** Letters from which the code page is judged. */
const MAX_BYTES = 64 * 1024
/** With fewer letters there is nothing to judge by. */
const MIN_LETTERS = 16
/** Single letters above ASCII are those of Western names; Russian words are runs of them. */
const MIN_RUN = 3
/** How much more likely a letter must be on average, as a logarithm, to differ from the default. */
const MARGIN = 0.4
/** Below it, as a logarithm of a letter's average likelihood, a text is not Russian; Russian texts are at about -3. */
const LEAST = -3.8

/** A capital after a small letter: koi8-r and windows-1251 have small letters where the other one has capitals. */
const CAPITAL_INSIDE = Math.log(0.02)

const likelihoods = new Map(
  FREQUENCIES.split(' ').map((text): [string, number] => [text.charAt(0), Math.log(Number(text.slice(1)) / 1_000)]),
)
const tables = (['windows-1251', 'ibm866', 'koi8-r'] as const).map((page) => ({ page, ...tableOf(page) }))

/** Of each byte from 0x80 on: the logarithm of its likelihood, and whether it is a small letter or a capital. */
function tableOf(page: CodePage) {
  const letters = [...new TextDecoder(page).decode(Uint8Array.from({ length: 128 }, (_, at) => at + 0x80))]
  return {
    scores: letters.map((letter) => likelihoods.get(letter.toLowerCase()) ?? Math.log(RARE)),
    isSmall: letters.map((letter) => letter !== letter.toUpperCase()),
    isCapital: letters.map((letter) => letter !== letter.toLowerCase()),
  }
}

/**
 * The code page of a Russian text of one byte a character (rules.md#reading): the one in which its letters are as
 * frequent as in Russian. windows-1251 is the default, so another one must be clearly more likely.
 */
export function guessCodePage(sample: Uint8Array): CodePage {
  const runs = findRuns(sample)
  const count = runs.reduce((sum, run) => sum + run.length, 0)
  if (count < MIN_LETTERS) return 'windows-1251'
  const [usual = 0, ...others] = tables.map((table) => runs.reduce((sum, run) => sum + scoreRun(run, table), 0) / count)
  const best = Math.max(...others)
  return best > Math.max(usual + MARGIN, LEAST)
    ? (tables[others.indexOf(best) + 1]?.page ?? 'windows-1251')
    : 'windows-1251'
}

function scoreRun(run: Uint8Array, { scores, isSmall, isCapital }: ReturnType<typeof tableOf>): number {
  let score = 0
  let wasSmall = false
  for (const byte of run) {
    score += scores[byte - 0x80] ?? 0
    if (wasSmall && isCapital[byte - 0x80]) score += CAPITAL_INSIDE
    wasSmall = isSmall[byte - 0x80] ?? false
  }
  return score
}

/** Runs of several bytes above ASCII. */
function findRuns(sample: Uint8Array): Uint8Array[] {
  const runs: Uint8Array[] = []
  let left = MAX_BYTES
  let start = 0
  for (let at = 0; at <= sample.length && left > 0; at += 1) {
    if ((sample[at] ?? 0) >= 0x80) continue
    if (at - start >= MIN_RUN) {
      runs.push(sample.subarray(start, Math.min(at, start + left)))
      left -= at - start
    }
    start = at + 1
  }
  return runs
}
