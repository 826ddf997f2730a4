import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/**
 * A link whose page is known only by its path, like that of a problem: plain text where no page has it.
 * @param path as in the routes, like `/imports/$id`
 */
export function AppLink({
  path,
  params = {},
  search = {},
  className,
  isButton = false,
  children,
}: {
  path: string
  params?: Record<string, string | number>
  search?: Record<string, unknown>
  className?: string | undefined
  /** nothing where no page has it */
  isButton?: boolean
  children: ReactNode
}) {
  const { routesByPath } = useRouter()
  if (!(path in routesByPath)) return isButton ? null : <span className={className}>{children}</span>
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return (
    <Link to={path} params={texts as never} search={search as never} className={className}>
      {children}
    </Link>
  )
}
