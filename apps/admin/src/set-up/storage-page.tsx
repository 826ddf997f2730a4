import { useNavigate, useParams } from '@tanstack/react-router'
import { AnswerError } from '@partsbus/client/answer-error'
import { useMay } from '../calls/session.js'
import { useDelete, useRevision } from '../calls/use-call.js'
import { useTexts } from '../texts/language.js'
import { Check, Choice, Field, OptionField } from '../ui/field.js'
import { EditForm } from '../ui/edit-form.js'
import { Panel } from '../ui/panel.js'
import { TextFields } from '../ui/text-fields.js'
import { toast } from '../ui/toast.js'
import { useResourceForm } from '../ui/use-resource-form.js'
import { HeaderFields } from './header-fields.js'
import { staleStorages, type Storage, useTestSupplier } from './set-up-calls.js'
import { LocationPage, NEW } from './location-page.js'
import { isOtherAddress, NEW_STORAGE, readStorage, toStorageDraft } from './storage-draft.js'
import { SupplierTest } from './supplier-test.js'

const DIALECTS = ['standard', 'abcp', 'autoeuro'] as const
const KINDS = ['own-stock', 'price-list', 'http'] as const

export function StoragePage() {
  const { id } = useParams({ from: '/frame/storages/$id' })
  return <One key={id} id={id} />
}

function One({ id }: { id: string }) {
  const navigate = useNavigate()
  const stored = useRevision('GET /storages/:id', { params: { id: Number(id) }, isEnabled: id !== NEW })
  const remove = useDelete('DELETE /storages/:id', {
    stale: staleStorages,
    onDone: () => void navigate({ to: '/storages' }),
  })
  return (
    <LocationPage kind="storages" id={id} stored={stored} remove={remove}>
      {(storage, revision) => <StorageForm storage={storage} revision={revision} />}
    </LocationPage>
  )
}

function StorageForm({ storage, revision }: { storage: Storage | undefined; revision: string | null }) {
  const t = useTexts()
  const words = t.setUp.storages
  const navigate = useNavigate()
  const mayChange = useMay('owner')
  const test = useTestSupplier()
  const labels = { name: words.name, timeout_ms: words.timeout, cache_seconds: words.cache }
  const { form, edit, fields, save, invalid } = useResourceForm({
    path: storage === undefined ? 'POST /storages' : 'PATCH /storages/:id',
    params: storage && { id: storage.id },
    resource: storage,
    revision,
    toDraft: toStorageDraft,
    blank: NEW_STORAGE,
    read: readStorage,
    labels,
    mayChange,
    isLeft: storage === undefined,
    stale: staleStorages,
    onSaved: ({ id }) =>
      storage === undefined ? void navigate({ to: '/storages/$id', params: { id: String(id) } }) : toast(t.setUp.saved),
  })
  const { draft, changed } = form
  const { supplier } = readStorage(draft).body
  const allLabels = {
    ...labels,
    base_url: words.address,
    'supplier.base_url': words.address,
    ...Object.fromEntries(draft.headers.map(({ name }) => [`supplier.headers.${name}`, words.headerValue(name)])),
  }
  return (
    <div className="beside">
      <Panel>
        <EditForm
          {...edit}
          labels={allLabels}
          error={edit.error ?? onlyViolations(test.error)}
          submitText={storage === undefined ? t.setUp.create : undefined}
          onSave={() => {
            test.reset()
            edit.onSave()
          }}
        >
          <TextFields {...fields} names={['name']} isRequired={['name']} />
          <Check
            isSwitch
            label={t.setUp.active}
            isOn={draft.is_active}
            disabled={!mayChange}
            onChange={(is_active) => form.change({ is_active })}
          />
          <Choice
            label={words.kind}
            value={draft.kind}
            options={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
            onChange={(kind) => form.change({ kind })}
          />
          {draft.kind === 'http' && (
            <>
              <Field label={words.address} path="supplier.base_url" isRequired isChanged={changed.includes('base_url')}>
                {(control) => (
                  <input
                    {...control}
                    inputMode="url"
                    placeholder="https://"
                    disabled={!mayChange}
                    value={draft.base_url}
                    onChange={(event) => form.change({ base_url: event.target.value })}
                  />
                )}
              </Field>
              <div className="fields">
                <OptionField
                  label={words.dialect}
                  path="supplier.dialect"
                  isChanged={changed.includes('dialect')}
                  isDisabled={!mayChange}
                  value={draft.dialect}
                  options={DIALECTS.map((name) => ({ value: name, label: name }))}
                  onChange={(dialect) => form.change({ dialect })}
                />
                <TextFields
                  {...fields}
                  names={['timeout_ms', 'cache_seconds']}
                  hints={{ timeout_ms: words.timeoutHint, cache_seconds: words.cacheHint }}
                  inputMode="decimal"
                />
              </div>
              <HeaderFields
                headers={draft.headers}
                isOtherAddress={isOtherAddress(form.base, draft)}
                isDisabled={!mayChange}
                onChange={(headers) => form.change({ headers })}
              />
            </>
          )}
        </EditForm>
      </Panel>
      {mayChange && draft.kind !== 'price-list' && (
        <SupplierTest
          supplier={supplier}
          storageId={storage?.id}
          isReady={invalid.length === 0}
          test={test}
          onAsk={save.reset}
        />
      )}
    </div>
  )
}

/** What else a test is refused for stands beside its button. */
const onlyViolations = (error: unknown) => (error instanceof AnswerError && error.status === 422 ? error : null)
