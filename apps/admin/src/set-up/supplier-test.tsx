import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Field } from '../ui/field.js'
import { Notice, Panel } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { ServerText } from '../ui/server-text.js'
import { useFormats } from '../ui/use-formats.js'
import type { Storage, useTestSupplier } from './set-up-calls.js'

interface SupplierTestProps {
  supplier: Storage['supplier']
  storageId: number | undefined
  isReady: boolean
  /** Its violations stand at the fields of the form. */
  test: ReturnType<typeof useTestSupplier>
  /** Before the supplier is asked. */
  onAsk: () => void
}

/** Asks the supplier as the form describes it, before anything is saved. */
export function SupplierTest({ supplier, storageId, isReady, test, onAsk }: SupplierTestProps) {
  const t = useTexts()
  const formats = useFormats()
  const words = t.setUp.storages
  const [article, setArticle] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAsk()
    test.mutate({ supplier, article, ...(storageId !== undefined && { storage_id: storageId }) })
  }
  const answer = test.data
  return (
    <Panel title={words.test}>
      <form className="stack" onSubmit={submit}>
        <p className="muted">{words.testText}</p>
        <Field label={words.testArticle}>
          {(control) => <input {...control} value={article} onChange={(event) => setArticle(event.target.value)} />}
        </Field>
        <div>
          <Button type="submit" isBusy={test.isPending} disabled={!isReady || article.trim() === ''}>
            {words.ask}
          </Button>
        </div>
        <div role="status" className="stack">
          {test.error !== null && <RefusalNotice error={test.error} />}
          {answer && (
            <Notice
              tone={answer.ok ? 'good' : 'danger'}
              title={(answer.ok ? words.testGood : words.testBad)(formats.duration(answer.ms))}
            >
              {answer.error !== null && (
                <p>
                  <ServerText text={answer.error} />
                </p>
              )}
              {answer.ok && answer.brands.length === 0 && <p>{words.testNothing}</p>}
              {answer.brands.length > 0 && (
                <ul>
                  {answer.brands.map((found) => (
                    <li key={`${found.brand}\n${found.article}`}>
                      {[found.brand, found.article, found.name].join(' · ')}
                    </li>
                  ))}
                </ul>
              )}
            </Notice>
          )}
        </div>
      </form>
    </Panel>
  )
}
