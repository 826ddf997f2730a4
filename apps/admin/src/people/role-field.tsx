import { useTexts } from '../texts/language.js'
import { Field } from '../ui/field.js'
import { type PersonDraft, ROLES } from './person-draft.js'

interface RoleFieldProps {
  role: PersonDraft['role']
  isChanged?: boolean
  onChange: (role: PersonDraft['role']) => void
}

/** A role, and what it may do. */
export function RoleField({ role, isChanged = false, onChange }: RoleFieldProps) {
  const t = useTexts()
  const words = t.people.administrators
  return (
    <Field label={words.role} path="role" hint={words.roleHints[role]} isChanged={isChanged}>
      {(control) => (
        <select
          {...control}
          value={role}
          onChange={(event) => onChange(ROLES.find((one) => one === event.target.value) ?? role)}
        >
          {ROLES.map((one) => (
            <option key={one} value={one}>
              {t.shell.roles[one]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
