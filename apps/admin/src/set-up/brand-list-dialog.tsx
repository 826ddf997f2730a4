import { useState } from 'react'
import { admin } from '../calls/admin-client.js'
import { useWrite } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { Field } from '../ui/field.js'
import { Progress } from '../ui/meter.js'
import { Notice } from '../ui/panel.js'
import { RefusalNotice } from '../ui/refusal.js'
import { addBrands, type BrandListOutcome, MOST_BRANDS, readBrandList } from './brand-list.js'

/** Many brands without other spellings at once. */
export function BrandListDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const words = t.setUp.brands.list
  const [text, setText] = useState('')
  const [done, setDone] = useState(0)
  const brands = readBrandList(text)
  const create = (canonical: string) => admin('POST /brand-synonyms', { body: { canonical } })
  const add = useWrite((list: string[]) => addBrands(list, create, setDone), {
    stale: ['GET /brand-synonyms'],
    onDone: ({ left }) => setText(left.join('\n')),
  })
  const start = () => {
    setDone(0)
    add.mutate(brands)
  }
  const isTooLong = brands.length > MOST_BRANDS
  return (
    <Dialog
      title={words.title}
      {...(!add.isPending && { onClose })}
      actions={
        <>
          <Button disabled={add.isPending} onClick={onClose}>
            {t.general.close}
          </Button>
          <Button
            kind="primary"
            isWrite
            isBusy={add.isPending}
            disabled={brands.length === 0 || isTooLong}
            onClick={start}
          >
            {brands.length === 0 ? t.kit.chips.add : words.add(brands.length)}
          </Button>
        </>
      }
    >
      <div className="stack">
        {add.data && <Outcome outcome={add.data} />}
        <Field label={words.label} hint={words.hint} error={isTooLong ? words.tooLong(MOST_BRANDS) : undefined}>
          {(control) => (
            <textarea
              {...control}
              rows={10}
              spellCheck={false}
              disabled={add.isPending}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {add.isPending && <Progress label={words.title} value={done} max={brands.length} />}
      </div>
    </Dialog>
  )
}

function Outcome({ outcome: { added, known, refused, failure } }: { outcome: BrandListOutcome }) {
  const words = useTexts().setUp.brands.list
  return (
    <div className="stack-tight" role="status">
      <Notice tone={refused.length > 0 ? 'warning' : 'good'} title={words.added(added.length)}>
        {known.length > 0 && <p>{words.known(known.join(', '))}</p>}
        {refused.length > 0 && <p>{words.refused(refused.join(', '))}</p>}
      </Notice>
      {failure !== undefined && <RefusalNotice error={failure} />}
    </div>
  )
}
