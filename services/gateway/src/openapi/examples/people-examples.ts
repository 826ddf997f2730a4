import type {
  AcceptedInvitation,
  Administrator,
  AdministratorPatch,
  Invitation,
  InvitedAdministrator,
  NewAdministrator,
  OwnAccountPatch,
  OwnSession,
  Session,
  SignIn,
} from '@partsbus/contracts/gateway/administrator'
import { exampleToken } from './admin-examples.js'

const at = '2026-11-21T10:15:00.000Z'
const address = '203.0.113.9'

export const signIn: SignIn = { name: 'anna', password: 'correct horse battery', remember: true }
export const acceptedInvitation: AcceptedInvitation = { token: exampleToken, password: 'correct horse battery' }

export const session: Session = {
  administrator: {
    id: 1,
    name: 'anna',
    display_name: 'Анна Смирнова',
    role: 'manager',
    locale: 'ru',
    time_zone: 'Asia/Yekaterinburg',
    theme: 'auto',
  },
  started_at: at,
  expires_at: '2026-11-21T22:15:00.000Z',
  address,
}
export const ownAccountPatch: OwnAccountPatch = { locale: 'ru', time_zone: 'Asia/Yekaterinburg' }

export const ownSession: OwnSession = {
  id: '7b0c7b52-1f3c-4e0f-9a5d-0c5d5b6a1e11',
  started_at: at,
  seen_at: at,
  address,
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  is_current: true,
}

export const newAdministrator: NewAdministrator = { name: 'anna', display_name: 'Анна Смирнова', role: 'manager' }
export const administratorPatch: AdministratorPatch = { role: 'viewer' }
export const administrator: Administrator = {
  id: 1,
  name: 'anna',
  display_name: 'Анна Смирнова',
  role: 'manager',
  is_active: true,
  has_password: true,
  last_seen_at: at,
  sessions: 2,
  created_at: at,
}
export const invitation: Invitation = { token: exampleToken, expires_at: '2026-11-24T10:15:00.000Z' }
export const invitedAdministrator: InvitedAdministrator = {
  ...administrator,
  has_password: false,
  last_seen_at: null,
  sessions: 0,
  invitation,
}
