import { AnswerError } from '@partsbus/client/answer-error'
import { brandKey } from '@partsbus/contracts/article'

/** As many as an import looks for. */
export const MOST_BRANDS = 2_000
/** Calls at a time. */
const AT_ONCE = 4

/** What became of a pasted list. */
export interface BrandListOutcome {
  added: string[]
  /** spellings that a group has already */
  known: string[]
  refused: string[]
  /** why the rest was not sent, and the rest itself */
  failure?: unknown
  left: string[]
}

/** The brands of a pasted text, one a line, each once whatever its spelling. */
export function readBrandList(text: string): string[] {
  const brands = new Map<string, string>()
  for (const line of text.split(/[\r\n]+/)) {
    const brand = line.trim()
    const key = brandKey(brand)
    if (key !== '' && !brands.has(key)) brands.set(key, brand)
  }
  return [...brands.values()]
}

/**
 * Makes a group for each brand that has none, a few at a time, and in the order of the list.
 * @param create makes one, or throws the answer that refuses it
 */
export async function addBrands(
  brands: readonly string[],
  create: (canonical: string) => Promise<unknown>,
  onProgress: (done: number) => void = () => undefined,
): Promise<BrandListOutcome> {
  const outcome: BrandListOutcome = { added: [], known: [], refused: [], left: [] }
  const waiting = [...brands]
  let done = 0
  const addNext = async (): Promise<void> => {
    for (let brand = waiting.shift(); brand !== undefined; brand = waiting.shift()) {
      try {
        await create(brand)
        outcome.added.push(brand)
      } catch (error) {
        if (isRefused(error)) outcome[isTaken(error) ? 'known' : 'refused'].push(brand)
        else {
          outcome.failure = error
          // what was not answered may have been made: sent again, it is known
          outcome.left.push(brand, ...waiting.splice(0))
        }
      }
      onProgress((done += 1))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, addNext))
  return outcome
}

const isRefused = (error: unknown): error is AnswerError => error instanceof AnswerError && error.status === 422
const isTaken = ({ violations }: AnswerError): boolean => violations.some(({ rule }) => rule === 'taken')
