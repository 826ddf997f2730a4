import { useTexts } from '../texts/language.js'
import { OptionField } from '../ui/field.js'
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
    <OptionField
      label={words.role}
      path="role"
      hint={words.roleHints[role]}
      isChanged={isChanged}
      value={role}
      options={ROLES.map((value) => ({ value, label: t.shell.roles[value] }))}
      onChange={onChange}
    />
  )
}
