import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react'
import type { FieldViolation } from '@partsbus/client/answer-error'
import { AnswerError } from '@partsbus/client/answer-error'
import type { Texts } from '../texts/en.js'
import { useTexts } from '../texts/language.js'
import { Notice } from './panel.js'
import { ServerText } from './server-text.js'
import { type BodyCheck, useBodyCheck } from './use-body-check.js'
import { useFormats } from './use-formats.js'

interface FieldMessage {
  path: string
  text: string
}

interface AllMessages {
  /** of the server: the summary lists them */
  sent: FieldMessage[]
  /** of the page itself */
  own: FieldMessage[]
}

const Messages = createContext<AllMessages>({ sent: [], own: [] })

/** The id of the control of a path, so that a summary can link to it. */
export const fieldId = (path: string) => `field-${path.replace(/[^\w-]/g, '-')}`

interface ViolationsProviderProps {
  /** of the last try to send the form */
  error: unknown
  /** Set where the fields are checked as they are left. */
  check?: BodyCheck | undefined
  children: ReactNode
}

/**
 * Puts the violations of a 422 at the fields below it, which name their `path`, and focuses the first. A violation of
 * an item (`synonyms.2`) belongs to the field of the nearest path above it. A field is checked
 * against the contract when it loses focus.
 */
export function ViolationsProvider({ error, check, children }: ViolationsProviderProps) {
  const t = useTexts()
  const formats = useFormats()
  const sent = useMemo(() => sentMessages(error, t, formats.number), [error, t, formats])
  const { problems, left, enter, leave } = useBodyCheck(check)
  const outer = use(Messages).own
  const isPart = check === undefined
  const messages = useMemo(() => {
    // a part of a form leaves the checks to the whole of it
    if (isPart) return { sent, own: outer }
    const { violations, errors } = problems
    const own = violations.filter(({ path }) => left.includes(controlOf(path)?.id ?? ''))
    return { sent, own: own.map((violation) => wordViolation(violation, errors, t, formats.number)) }
  }, [isPart, sent, outer, problems, left, t, formats])
  useEffect(() => {
    const [first] = sent
    if (first) controlOf(first.path)?.focus()
  }, [sent])
  return (
    <Messages value={messages}>
      <div className="as-is" onFocus={enter} onBlur={({ target }) => leave(target.id)}>
        {children}
      </div>
    </Messages>
  )
}

export function useFieldMessage(path: string | undefined): FieldMessage | undefined {
  const { sent, own } = use(Messages)
  if (path === undefined) return undefined
  const messages = [...sent, ...own]
  return (
    messages.find((message) => message.path === path) ?? messages.find((message) => message.path.startsWith(`${path}.`))
  )
}

/** Above a form: how many fields need attention, each with a link. */
export function ViolationsSummary({ labels = {} }: { labels?: Record<string, string> }) {
  const t = useTexts()
  const messages = use(Messages).sent
  const ref = useRef<HTMLDivElement>(null)
  if (messages.length === 0) return null
  return (
    <div ref={ref} role="alert">
      <Notice tone="danger" title={t.states.violations.title(messages.length)}>
        <ul>
          {messages.map(({ path, text }) => (
            <li key={`${path} ${text}`}>
              <a
                href={`#${fieldId(path)}`}
                onClick={(event) => {
                  event.preventDefault()
                  controlOf(path)?.focus()
                }}
              >
                {labelOf(path, labels)}
              </a>
              {': '}
              <ServerText text={text} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function sentMessages(error: unknown, t: Texts, number: (value: number) => string): FieldMessage[] {
  if (!(error instanceof AnswerError) || error.status !== 422) return []
  const { violations, errors } = error
  const worded = violations.map((violation) => wordViolation(violation, errors, t, number))
  const named = new Set(violations.map(({ path }) => path))
  const rest = Object.entries(errors).filter(([path]) => !named.has(path))
  return [...worded, ...rest.map(([path, [text = '']]): FieldMessage => ({ path, text }))]
}

function wordViolation(
  { path, rule, limit }: FieldViolation,
  errors: Record<string, string[]>,
  t: Texts,
  number: (value: number) => string,
): FieldMessage {
  const words = t.states.violations
  const told = rule in words ? words[rule as keyof typeof words] : undefined
  if (rule === 'title' || rule === 'unplaced' || told === undefined) return { path, text: errors[path]?.[0] ?? rule }
  return { path, text: typeof told === 'string' ? told : (told as (limit: string) => string)(number(limit ?? 0)) }
}

/** The name of the nearest path above: `erp_allowed_ips.0` is an address of the field `erp_allowed_ips`. */
function labelOf(path: string, labels: Record<string, string>): string {
  const parts = path.split('.')
  for (let count = parts.length; count > 0; count--) {
    const label = labels[parts.slice(0, count).join('.')]
    if (label !== undefined) return label
  }
  return path
}

function controlOf(path: string): HTMLElement | null {
  const parts = path.split('.')
  for (let count = parts.length; count > 0; count--) {
    const control = document.getElementById(fieldId(parts.slice(0, count).join('.')))
    if (control) return control
  }
  return null
}
