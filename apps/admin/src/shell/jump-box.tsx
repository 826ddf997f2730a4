import { AnswerError } from '@partsbus/client/answer-error'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { referencesQuery } from '../calls/use-overview.js'
import { useTexts } from '../texts/language.js'
import { Icon } from '../ui/icon.js'
import { admin } from '../calls/admin-client.js'
import { base } from '../browser/page-address.js'
import styles from './jump-box.module.css'
import { importNumber, importTarget, jumpTarget, searchTarget } from './jump-target.js'
import { noteRefusal, queryClient } from '../calls/query-client.js'
import { useShortcut } from './shortcuts.js'

/** `/` focuses it; Enter goes there. */
export function JumpBox() {
  const t = useTexts()
  const id = useId()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const going = useRef<AbortController>(undefined)
  useShortcut('/', () => input.current?.select())
  useEffect(() => () => going.current?.abort(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    going.current?.abort()
    going.current = new AbortController()
    const { signal } = going.current
    const go = (target: string) => {
      if (signal.aborted) return
      router.history.push(`${base}${target.slice(1)}`)
      setTyped('')
      input.current?.blur()
    }
    void findTarget(typed, signal).then(go, () => undefined)
  }
  return (
    <form role="search" aria-label={t.shell.jump.label} className={styles.box} onSubmit={submit}>
      <label htmlFor={id} className={styles.icon} title={t.shell.jump.label}>
        <Icon name="search" />
      </label>
      <input
        ref={input}
        id={id}
        className={styles.input}
        value={typed}
        placeholder={t.shell.jump.placeholder}
        aria-label={t.shell.jump.label}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => setTyped(event.target.value)}
      />
      <kbd className={styles.key} aria-hidden="true">
        {'/'}
      </kbd>
    </form>
  )
}

async function findTarget(typed: string, signal: AbortSignal): Promise<string> {
  const task = await importOf(typed, signal)
  if (task !== undefined) return task
  const references = await queryClient.fetchQuery(referencesQuery).catch(unlessSignedOut)
  const named = references && jumpTarget(typed, references)
  return named ?? (await productTarget(typed, signal)) ?? searchTarget(typed)
}

/** Most articles of some lists are digits, so only a number that an import has leads there. */
async function importOf(typed: string, signal: AbortSignal): Promise<string | undefined> {
  const id = importNumber(typed)
  if (id === undefined) return undefined
  const task = await admin('GET /import-tasks/:id', { params: { id }, signal }).catch(unlessSignedOut)
  return task && importTarget(task.id)
}

async function productTarget(typed: string, signal: AbortSignal): Promise<string | undefined> {
  const call = admin('GET /products/by-erp-id/*', { params: { erp_id: typed.trim() }, signal })
  const product = await call.catch(unlessSignedOut)
  return product && `/products/${product.id}`
}

/** Without a name or a product there is still the search; without a session there is nothing, and the text stays. */
function unlessSignedOut(error: unknown): undefined {
  noteRefusal(error)
  if (error instanceof AnswerError && error.status === 401) throw error
}
