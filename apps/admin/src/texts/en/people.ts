import { plural } from '../plural.js'

const openSessions = (count: number) => plural.en(count, { one: 'open session', other: 'open sessions' })

/** The people who may open these pages, and the own account. */
export const people = {
  administrators: {
    empty: 'Only the token of the installation opens these pages. Invite the first person.',
    name: 'Username',
    nameHint: 'For signing in, 3 to 64 characters. It cannot be changed later.',
    displayName: 'Shown as',
    displayNameHint: 'Same as the name if empty.',
    role: 'Role',
    roleHints: {
      viewer: 'Reads everything but the audit log.',
      manager: 'Reads everything, and changes price lists, imports, brands, pick-up points and stock.',
      owner: 'May do everything, including storages, settings, tokens and administrators.',
    },
    state: 'State',
    states: { active: 'Active', invited: 'Invited', off: 'Switched off' },
    seen: 'Last seen',
    never: 'Never',
    sessions: 'Sessions',
    active: 'May sign in',
    activeHint: 'Switching it off ends all sessions of this person.',
    invite: 'Invite a person',
    inviteAct: 'Invite',
    edit: (name: string) => `Change ${name}`,
    gone: (id: number) => `Administrator ${id}`,
    link: (name: string) => `Invitation for ${name}`,
    linkText: (until: string) => `Send this link to the person. It works once, until ${until}.`,
    inviteAgain: 'New invitation',
    inviteAgainText:
      'For a forgotten password: the link sets a new one. The old password works until then; an earlier link does not.',
    signOut: 'Sign out everywhere',
    signOutTitle: (name: string) => `Sign ${name} out everywhere?`,
    signOutText: (sessions: number) => `It ends ${openSessions(sessions)}. The password stays as it is.`,
    signedOut: (name: string) => `${name} is signed out everywhere.`,
    deleteText: (sessions: number) =>
      sessions === 0
        ? 'The person can no longer sign in. The audit log keeps what the person did.'
        : `The person can no longer sign in. It ends ${openSessions(sessions)}. ` +
          'The audit log keeps what the person did.',
  },
  account: {
    profile: 'Profile',
    signInName: 'You sign in as',
    displayName: 'Shown as',
    displayNameHint: 'Your colleagues see it beside what you did.',
    zone: 'Time zone',
    browserZone: (zone: string) => `As the browser (${zone})`,
    noAccount: 'The token of the installation has no account.',
    noAccountText:
      'It has no name, no password and no settings to change. ' +
      'Invite yourself as an administrator, and sign in with your own name.',
    password: 'Password',
    currentPassword: 'Current password',
    nextPassword: 'New password',
    passwordText: 'A new password ends all your other sessions.',
    changePassword: 'Change the password',
    passwordChanged: 'The password is changed. All your other sessions have ended.',
    wrongPassword: 'This is not your password.',
    sessions: 'Open sessions',
    browser: 'Browser',
    unknownBrowser: 'Unknown browser',
    address: 'Address',
    started: 'Signed in',
    seen: 'Last seen',
    current: 'This session',
    signOut: 'Sign out',
    signOutAt: (address: string) => `Sign out the session at ${address}`,
    signOutOthers: 'Sign out all others',
    signOutOthersTitle: 'Sign out all other sessions?',
    signOutOthersText: (sessions: number) => `It ends ${openSessions(sessions)}. This one stays.`,
    shortcuts: 'Keyboard shortcuts',
    shortcutsOn: 'Single-key shortcuts',
    shortcutsHint: 'The key / goes to the box at the top of the page. In this browser only.',
  },
}
