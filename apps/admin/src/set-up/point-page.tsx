import { useNavigate, useParams } from '@tanstack/react-router'
import { useMay } from '../calls/session.js'
import { useDelete, useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { SelectMany } from '../ui/select.js'
import { EditForm } from '../ui/edit-form.js'
import { Check } from '../ui/field.js'
import { Panel } from '../ui/panel.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { NEW_POINT, partnerView, POINT_TEXTS, readPoint, toPointDraft } from './point-draft.js'
import { LocationPage, NEW } from './location-page.js'
import styles from './set-up.module.css'
import { type Point, stalePoints, useAllStorages } from './set-up-calls.js'

export function PointPage() {
  const { id } = useParams({ from: '/frame/points/$id' })
  return <One key={id} id={id} />
}

function One({ id }: { id: string }) {
  const navigate = useNavigate()
  const stored = useRevision('GET /pick-up-points/:id', { params: { id: Number(id) }, isEnabled: id !== NEW })
  const remove = useDelete('DELETE /pick-up-points/:id', {
    stale: stalePoints,
    onDone: () => void navigate({ to: '/points' }),
  })
  return (
    <LocationPage kind="points" id={id} stored={stored} remove={remove}>
      {(point, revision) => <PointForm point={point} revision={revision} />}
    </LocationPage>
  )
}

function PointForm({ point, revision }: { point: Point | undefined; revision: string | null }) {
  const t = useTexts()
  const words = t.setUp.points
  const labels = Object.fromEntries(POINT_TEXTS.map((name) => [name, words[name]]))
  const navigate = useNavigate()
  const mayChange = useMay('manager')
  const storages = useAllStorages()
  const { form, edit, fields } = useResourceForm({
    path: point === undefined ? 'POST /pick-up-points' : 'PATCH /pick-up-points/:id',
    params: point && { id: point.id },
    resource: point,
    revision,
    toDraft: toPointDraft,
    blank: NEW_POINT,
    read: (draft) => ({ body: readPoint(draft) }),
    labels,
    mayChange,
    isLeft: point === undefined,
    stale: stalePoints,
    onSaved: ({ id }) =>
      point === undefined ? void navigate({ to: '/points/$id', params: { id: String(id) } }) : toast(t.setUp.saved),
  })
  const { draft, changed } = form
  return (
    <div className="beside">
      <Panel>
        <EditForm {...edit} submitText={point === undefined ? t.setUp.create : undefined}>
          <TextFields {...fields} names={['name']} isRequired={['name']} />
          <Check
            isSwitch
            label={t.setUp.active}
            isOn={draft.is_active}
            disabled={!mayChange}
            onChange={(is_active) => form.change({ is_active })}
          />
          <div className="fields">
            <TextFields {...fields} names={['country', 'region', 'city']} />
          </div>
          <TextFields {...fields} names={['address']} />
          <div className="fields">
            <TextFields {...fields} names={['phone']} inputMode="tel" />
            <TextFields {...fields} names={['email']} inputMode="email" />
          </div>
          <TextFields {...fields} names={['schedule', 'description']} isLong={['schedule', 'description']} />
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
