/** How an import came, and what became of it. */
export const tasks = {
  sources: { manual: 'Upload', email: 'E-mail', ftp: 'FTP', url: 'Web address' },
  statuses: { pending: 'Waiting', processing: 'Importing', completed: 'Completed', failed: 'Failed' },
  cancelled: 'Cancelled',
  superseded: 'Completed, but a newer file was live already',
}
