export const Logo = () => (
  <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="var(--accent)" />
    <path d="M9 24V8h8a5.5 5.5 0 0 1 0 11h-4v5zm4-8.5h3.6a2 2 0 0 0 0-4H13z" fill="#fff" />
    <circle cx="24" cy="24" r="2.6" fill="#fff" />
  </svg>
)
