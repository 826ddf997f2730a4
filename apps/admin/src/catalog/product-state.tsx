import { useTexts } from '../texts/language.js'
import { Mark } from '../ui/mark.js'

export function ProductState({ product }: { product: { is_active: boolean; deleted_at: string | null } }) {
  const t = useTexts()
  if (product.deleted_at !== null) return <Mark tone="danger">{t.catalog.deleted}</Mark>
  return product.is_active ? (
    <Mark tone="good">{t.catalog.active}</Mark>
  ) : (
    <Mark tone="quiet">{t.catalog.inactive}</Mark>
  )
}
