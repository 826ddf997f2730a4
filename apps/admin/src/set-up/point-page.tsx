import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMay } from '../calls/session.js'
import { useTexts } from '../texts/language.js'
import { SelectMany } from '../ui/select.js'
import { EditForm } from '../ui/edit-form.js'
import { Check } from '../ui/field.js'
import { Page } from '../ui/page.js'
import { Panel } from '../ui/panel.js'
import { Loaded } from '../ui/state.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useDraft } from '../ui/use-draft.js'
import { DeleteButton } from './delete-button.js'
import { NEW_POINT, partnerView, POINT_TEXTS, type PointDraft, readPoint, toPointDraft } from './point-draft.js'
import styles from './set-up.module.css'
import { type Point, useAllStorages, useCreatePoint, useDeletePoint, usePoint, useSavePoint } from './set-up-calls.js'

export function PointPage() {
  const { id } = useParams({ from: '/frame/points/$id' })
  return id === 'new' ? <NewPoint /> : <OnePoint key={id} id={id} />
}

function NewPoint() {
  const t = useTexts()
  return (
    <Page title={t.setUp.points.new} above={<Link to="/points">{t.setUp.points.toList}</Link>}>
      <PointForm point={undefined} revision={null} />
    </Page>
  )
}

function OnePoint({ id }: { id: string }) {
  const t = useTexts()
  const words = t.setUp.points
  const navigate = useNavigate()
  const mayChange = useMay('manager')
  const point = usePoint(Number(id))
  const remove = useDeletePoint(() => void navigate({ to: '/points' }))
  const list = <Link to="/points">{words.toList}</Link>
  const data = point.data
  return (
    <Page
      title={data?.answer.name ?? words.gone(id)}
      above={list}
      actions={
        mayChange &&
        data && <DeleteButton id={data.answer.id} revision={data.etag} name={data.answer.name} remove={remove} />
      }
    >
      <Loaded from={point} part="pick-up-points" gone={{ what: words.gone(id), link: list }}>
        {({ answer, etag }) => <PointForm point={answer} revision={etag} />}
      </Loaded>
    </Page>
  )
}

function PointForm({ point, revision }: { point: Point | undefined; revision: string | null }) {
  const t = useTexts()
  const words = t.setUp.points
  const labels = Object.fromEntries(POINT_TEXTS.map((name) => [name, words[name]]))
  const navigate = useNavigate()
  const mayChange = useMay('manager')
  const storages = useAllStorages()
  const stored = useMemo(() => (point ? toPointDraft(point) : NEW_POINT), [point])
  const form = useDraft<PointDraft>(stored, revision)
  const create = useCreatePoint(({ id }) => void navigate({ to: '/points/$id', params: { id: String(id) } }))
  const save = useSavePoint(point?.id ?? 0)
  const { draft, changed } = form
  const body = readPoint(draft)
  const submit = () => {
    if (point === undefined) return create.mutate(body)
    save.mutate(
      { body, ifMatch: form.revision },
      {
        onSuccess: ({ answer, etag }) => {
          form.saved(toPointDraft(answer), etag)
          toast(t.setUp.saved)
        },
      },
    )
  }
  const texts = {
    draft,
    changed,
    labels,
    isDisabled: !mayChange,
    onChange: form.change,
  }
  return (
    <div className="beside">
      <Panel>
        <EditForm
          form={form}
          labels={labels}
          check={{ path: point === undefined ? 'POST /pick-up-points' : 'PATCH /pick-up-points/:id', body }}
          error={create.error ?? save.error}
          isBusy={create.isPending || save.isPending || create.isSuccess}
          isReady={mayChange}
          isNew={point === undefined}
          submitText={point === undefined ? t.setUp.create : undefined}
          onSave={submit}
          readCurrent={(current) => toPointDraft(current as Point)}
          onConflictOver={save.reset}
        >
          <TextFields {...texts} names={['name']} isRequired={['name']} />
          <Check
            isSwitch
            label={t.setUp.active}
            isOn={draft.is_active}
            disabled={!mayChange}
            onChange={(is_active) => form.change({ is_active })}
          />
          <div className="fields">
            <TextFields {...texts} names={['country', 'region', 'city']} />
          </div>
          <TextFields {...texts} names={['address']} />
          <div className="fields">
            <TextFields {...texts} names={['phone']} inputMode="tel" />
            <TextFields {...texts} names={['email']} inputMode="email" />
          </div>
          <TextFields {...texts} names={['schedule', 'description']} isLong={['schedule', 'description']} />
          <SelectMany
            label={words.storages}
            path="storage_ids"
            isChanged={changed.includes('storage_ids')}
            options={storages.map(({ id, name, supplier }) => ({
              value: id,
              label: name,
              note: t.setUp.storages.kinds[supplier.kind],
            }))}
            values={draft.storage_ids}
            isDisabled={!mayChange}
            onChange={(storage_ids) => form.change({ storage_ids })}
          />
        </EditForm>
      </Panel>
      <Panel title={words.partners}>
        <pre className={styles.json}>{JSON.stringify(partnerView(draft), null, 2)}</pre>
      </Panel>
    </div>
  )
}
