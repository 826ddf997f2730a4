import { AnswerError } from '@partsbus/client/answer-error'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../calls/session.js'
import { useCall, useDelete, useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Button } from '../ui/button.js'
import { Chips } from '../ui/chips.js'
import { Dialog } from '../ui/dialog.js'
import { EditForm } from '../ui/edit-form.js'
import { Field } from '../ui/field.js'
import { Filters, TextFilter } from '../ui/filters.js'
import { Page } from '../ui/page.js'
import { PagedTable } from '../ui/paged-table.js'
import { Empty, Loaded } from '../ui/state.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { BrandListDialog } from './brand-list-dialog.js'
import { DeleteButton } from './delete-button.js'
import { type BrandGroup, PER_PAGE } from './set-up-calls.js'

export function BrandsPage() {
  const t = useTexts()
  const words = t.setUp.brands
  const { q, page } = useSearch({ from: '/frame/brands' })
  const navigate = useNavigate({ from: '/brands' })
  const mayChange = useMay('manager')
  const [edited, setEdited] = useState<BrandGroup | 'new'>()
  const groups = useCall('GET /brand-synonyms', { query: { q, page, per_page: PER_PAGE } })
  const [isPasting, setIsPasting] = useState(false)
  const create = mayChange && (
    <>
      <Button onClick={() => setIsPasting(true)}>{words.list.title}</Button>
      <Button kind="primary" icon="add" onClick={() => setEdited('new')}>
        {words.new}
      </Button>
    </>
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
      {isPasting && <BrandListDialog onClose={() => setIsPasting(false)} />}
      {edited !== undefined && (
        <BrandDialog group={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}

function BrandDialog({ group, onClose }: { group: BrandGroup | undefined; onClose: () => void }) {
  const words = useTexts().setUp.brands
  return (
    <Dialog title={group ? words.edit(group.canonical) : words.new} onClose={onClose}>
      {group ? (
        <StoredGroup id={group.id} onClose={onClose} />
      ) : (
        <GroupForm group={undefined} revision={null} onClose={onClose} />
      )}
    </Dialog>
  )
}

function StoredGroup({ id, onClose }: { id: number; onClose: () => void }) {
  const words = useTexts().setUp.brands
  const group = useRevision('GET /brand-synonyms/:id', { params: { id } })
  const remove = useDelete('DELETE /brand-synonyms/:id', { stale: ['GET /brand-synonyms'], onDone: onClose })
  return (
    <Loaded from={group} gone={{ what: words.gone(id), link: undefined }}>
      {({ answer, etag }) => (
        <div className="stack">
          <GroupForm group={answer} revision={etag} onClose={onClose} />
          <div>
            <DeleteButton id={id} revision={etag} name={answer.canonical} text={words.deleteText} remove={remove} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

const EMPTY_GROUP = { canonical: '', synonyms: [] as string[] }

interface GroupFormProps {
  group: BrandGroup | undefined
  revision: string | null
  onClose: () => void
}

function GroupForm({ group, revision, onClose }: GroupFormProps) {
  const words = useTexts().setUp.brands
  const { form, edit, save } = useResourceForm({
    path: group === undefined ? 'POST /brand-synonyms' : 'PATCH /brand-synonyms/:id',
    params: group && { id: group.id },
    resource: group,
    revision,
    toDraft: toGroupDraft,
    blank: EMPTY_GROUP,
    read: (draft) => ({ body: draft }),
    labels: { canonical: words.canonical, synonyms: words.synonyms },
    isLeft: true,
    stale: ['GET /brand-synonyms'],
    onSaved: onClose,
  })
  const { canonical, synonyms } = form.draft
  return (
    <EditForm {...edit} onCancel={onClose}>
      {takenSpellings(save.error, canonical, save.variables?.body.synonyms ?? []).map((spelling) => (
        <p key={spelling}>
          <Link to="/brands" search={{ q: spelling }} onClick={onClose}>
            {words.groupOf(spelling)}
          </Link>
        </p>
      ))}
      <Field label={words.canonical} path="canonical" isRequired>
        {(control) => (
          <input {...control} value={canonical} onChange={(event) => form.change({ canonical: event.target.value })} />
        )}
      </Field>
      <Chips
        label={words.synonyms}
        path="synonyms"
        isChanged={form.changed.includes('synonyms')}
        values={synonyms}
        onChange={(next) => form.change({ synonyms: next })}
      />
    </EditForm>
  )
}

const toGroupDraft = ({ canonical, synonyms }: BrandGroup) => ({ canonical, synonyms })

/** Those that another group has. */
function takenSpellings(error: unknown, canonical: string, synonyms: string[]): string[] {
  if (!(error instanceof AnswerError)) return []
  const taken = error.violations.filter(({ rule }) => rule === 'taken')
  return taken.flatMap(({ path }) => (path === 'canonical' ? canonical : (synonyms[Number(path.split('.')[1])] ?? [])))
}
