import { AnswerError } from '@partsbus/client/answer-error'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMay } from '../session/session.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Chips } from '../ui/chips.js'
import { Dialog } from '../ui/dialog.js'
import { Field } from '../ui/field.js'
import { Filters, TextFilter } from '../ui/filters.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { RefusalNotice } from '../ui/refusal.js'
import { Empty, Loaded } from '../ui/state.js'
import { ViolationsProvider, ViolationsSummary } from '../ui/violations.js'
import { DeleteButton } from './delete-button.js'
import { type BrandGroup, PER_PAGE, useBrandGroups, useDeleteBrandGroup, useSaveBrandGroup } from './set-up-calls.js'

export function BrandsPage() {
  const t = useTexts()
  const words = t.setUp.brands
  const { q, page } = useSearch({ from: '/frame/brands' })
  const navigate = useNavigate({ from: '/brands' })
  const mayChange = useMay('manager')
  const [edited, setEdited] = useState<BrandGroup | 'new'>()
  const groups = useBrandGroups({ q, page })
  const create = mayChange && (
    <Button kind="primary" icon="add" onClick={() => setEdited('new')}>
      {words.new}
    </Button>
  )
  return (
    <Page title={t.shell.pages.brands} lead={words.emptyText} actions={create}>
      <Filters label={t.shell.pages.brands}>
        <TextFilter
          label={words.spelling}
          value={q}
          onChange={(next) => void navigate({ search: { q: next }, replace: true })}
        />
      </Filters>
      <Loaded from={groups} part="search">
        {({ data, total }) => (
          <PagedTable
            caption={words.caption}
            rows={data}
            rowKey={({ id }) => id}
            isStale={groups.isPlaceholderData}
            empty={
              q === '' ? (
                <Empty icon="brands" title={words.empty} action={create} />
              ) : (
                <Empty icon="search" title={words.nothing} />
              )
            }
            columns={[
              { key: 'canonical', head: words.canonical, isName: true, cell: ({ canonical }) => canonical },
              { key: 'synonyms', head: words.synonyms, cell: ({ synonyms }) => synonyms.join(', ') },
              {
                key: 'change',
                head: '',
                cell: (group) =>
                  mayChange && (
                    <Button
                      isSmall
                      kind="quiet"
                      aria-label={words.edit(group.canonical)}
                      onClick={() => setEdited(group)}
                    >
                      {t.general.change}
                    </Button>
                  ),
              },
            ]}
            page={page}
            perPage={PER_PAGE}
            total={total}
            onPage={(next) => void navigate({ search: { q, page: next } })}
          />
        )}
      </Loaded>
      {edited !== undefined && (
        <BrandDialog group={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}

function BrandDialog({ group, onClose }: { group: BrandGroup | undefined; onClose: () => void }) {
  const t = useTexts()
  const words = t.setUp.brands
  const [canonical, setCanonical] = useState(group?.canonical ?? '')
  const [synonyms, setSynonyms] = useState(group?.synonyms ?? [])
  const save = useSaveBrandGroup(onClose)
  const remove = useDeleteBrandGroup(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ id: group?.id, canonical, synonyms })
  }
  return (
    <Dialog title={group ? words.edit(group.canonical) : words.new} onClose={onClose}>
      <ViolationsProvider error={save.error} check={{ path: 'POST /brand-synonyms', body: { canonical, synonyms } }}>
        <form className="stack" onSubmit={submit}>
          <ViolationsSummary labels={{ canonical: words.canonical, synonyms: words.synonyms }} />
          {save.error !== null && <RefusalNotice error={save.error} />}
          {takenSpellings(save.error, canonical, save.variables?.synonyms ?? []).map((spelling) => (
            <p key={spelling}>
              <Link to="/brands" search={{ q: spelling }} onClick={onClose}>
                {words.groupOf(spelling)}
              </Link>
            </p>
          ))}
          <Field label={words.canonical} path="canonical" isRequired>
            {(control) => (
              <input {...control} value={canonical} onChange={(event) => setCanonical(event.target.value)} />
            )}
          </Field>
          <Chips label={words.synonyms} path="synonyms" values={synonyms} onChange={setSynonyms} />
          <div className="row-apart">
            {group ? (
              <DeleteButton id={group.id} name={group.canonical} text={words.deleteText} remove={remove} />
            ) : (
              <span />
            )}
            <div className="actions">
              <Button onClick={onClose}>{t.general.cancel}</Button>
              <Button type="submit" kind="primary" isWrite isBusy={save.isPending}>
                {t.general.save}
              </Button>
            </div>
          </div>
        </form>
      </ViolationsProvider>
    </Dialog>
  )
}

/** Those that another group has. */
function takenSpellings(error: unknown, canonical: string, synonyms: string[]): string[] {
  if (!(error instanceof AnswerError)) return []
  const taken = error.violations.filter(({ rule }) => rule === 'taken')
  return taken.flatMap(({ path }) => (path === 'canonical' ? canonical : (synonyms[Number(path.split('.')[1])] ?? [])))
}
