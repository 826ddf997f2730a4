import { Combobox as Base } from '@base-ui/react/combobox'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/language.js'
import styles from './combobox.module.css'
import { Field } from './field.js'
import { Icon } from './icon.js'

export interface Option {
  value: string | number
  label: string
  /** A kind, a storage: what tells two equal names apart. */
  note?: string
}

interface CommonProps {
  label: ReactNode
  path?: string
  hint?: ReactNode
  options: Option[]
  isChanged?: boolean
  isRequired?: boolean
  placeholder?: string
}

interface OneProps extends CommonProps {
  value: Option['value'] | null
  onChange: (value: Option['value'] | null) => void
}

interface ManyProps extends CommonProps {
  values: Option['value'][]
  onChange: (values: Option['value'][]) => void
}

/** One of many names, found by typing. */
export function Combobox({ value, onChange, options, ...field }: OneProps) {
  const chosen = options.find((option) => option.value === value) ?? null
  return (
    <Field {...field}>
      {(control) => (
        <Base.Root
          items={options}
          value={chosen}
          onValueChange={(option: Option | null) => onChange(option?.value ?? null)}
          isItemEqualToValue={isSame}
        >
          <div className={styles.box}>
            <Base.Input {...control} placeholder={field.placeholder} />
            <Buttons />
          </div>
          <Popup />
        </Base.Root>
      )}
    </Field>
  )
}

/** Several of many names, as chips in the order they were chosen. */
export function ComboboxChips({ values, onChange, options, ...field }: ManyProps) {
  const t = useTexts()
  const chosen = values.flatMap((value) => options.find((option) => option.value === value) ?? [])
  return (
    <Field {...field}>
      {(control) => (
        <Base.Root
          items={options}
          multiple
          value={chosen}
          onValueChange={(next: Option[]) => onChange(next.map(({ value }) => value))}
          isItemEqualToValue={isSame}
        >
          <Base.Chips className={styles.chips}>
            {chosen.map((option) => (
              <Base.Chip key={option.value} className={styles.chip} aria-label={option.label}>
                {option.label}
                <Base.ChipRemove className={styles.remove} aria-label={t.kit.combobox.remove(option.label)}>
                  <Icon name="close" />
                </Base.ChipRemove>
              </Base.Chip>
            ))}
            <Base.Input
              {...control}
              className={styles.chipInput}
              placeholder={chosen.length === 0 ? field.placeholder : undefined}
            />
          </Base.Chips>
          <Popup />
        </Base.Root>
      )}
    </Field>
  )
}

const isSame = (one: Option, other: Option) => one.value === other.value

function Buttons() {
  const t = useTexts()
  return (
    <span className={styles.buttons}>
      <Base.Clear className={styles.button} aria-label={t.kit.combobox.clear}>
        <Icon name="close" />
      </Base.Clear>
      <Base.Trigger className={styles.button} aria-label={t.kit.combobox.open}>
        <Icon name="down" />
      </Base.Trigger>
    </span>
  )
}

function Popup() {
  const t = useTexts()
  return (
    <Base.Portal>
      <Base.Positioner className={styles.positioner} sideOffset={4}>
        <Base.Popup className={styles.popup}>
          <Base.Empty className={styles.nothing}>{t.kit.combobox.nothing}</Base.Empty>
          <Base.List className={styles.list}>
            {(option: Option) => (
              <Base.Item key={option.value} value={option} className={styles.item}>
                <span>{option.label}</span>
                {option.note !== undefined && <span className={styles.note}>{option.note}</span>}
                <Base.ItemIndicator className={styles.chosen}>
                  <Icon name="good" />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}
