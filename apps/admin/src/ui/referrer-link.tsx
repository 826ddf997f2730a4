import type { ReactNode } from 'react'
import type { Referrer } from '../shell/admin-client.js'

/** What refers to a thing that cannot be deleted. */
export const ReferrerLink = ({ name }: Referrer): ReactNode => name
