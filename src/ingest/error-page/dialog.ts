/**
 * The crash report dialog: runs in customers' pages after `Sentry.showReportDialog`, in a shadow root, so that neither side's styles
 * reach the other. Every text is set as text. read-dialog.ts strips the comments of this file.
 */
type Texts = Record<string, string>

const closedMessage = '__sentry_reportdialog_closed__'

const styles = `
dialog { box-sizing: border-box; width: min(520px, calc(100vw - 32px)); max-height: calc(100vh - 32px); overflow: auto; padding: 24px;
  border: 1px solid GrayText; border-radius: 8px; color-scheme: light dark; background: Canvas; color: CanvasText;
  font: 15px/1.5 system-ui, sans-serif; text-align: start; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
h2 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; }
p { margin: 0 0 12px; }
label { display: block; margin-bottom: 12px; }
input, textarea { box-sizing: border-box; display: block; width: 100%; margin-top: 4px; padding: 8px; border: 1px solid GrayText; border-radius: 5px;
  background: Field; color: FieldText; font: inherit; }
textarea { min-height: 110px; resize: vertical; }
.row { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; }
button { min-height: 36px; padding: 0 14px; border: 1px solid GrayText; border-radius: 5px; background: ButtonFace; color: ButtonText; font: inherit; cursor: pointer; }
button[type=submit] { border-color: #14505f; background: #14505f; color: #fff; }
[role=alert]:not(:empty) { padding: 8px 12px; border: 1px solid #c43c2e; border-radius: 5px; }
`

export function openDialog(action: string, texts: Texts, user: { name: string; email: string }): void {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  addStyles(root)
  const text = (name: string): string => texts[name] ?? ''
  const dialog = make('dialog', { 'aria-labelledby': 'title', lang: text('lang') })
  const form = make('form', { novalidate: 'true' })
  const fault = make('p', { role: 'alert' })
  const name = field('input', text('labelName'), { name: 'name', autocomplete: 'name', maxlength: '128' })
  const email = field('input', text('labelEmail'), {
    name: 'email',
    type: 'email',
    autocomplete: 'email',
    maxlength: '128',
  })
  const comments = field('textarea', text('labelComments'), { name: 'comments', required: '', maxlength: '4096' })
  name.input.value = user.name
  email.input.value = user.email
  const close = make('button', { type: 'button' }, text('labelClose'))
  const submit = make('button', { type: 'submit' }, text('labelSubmit'))
  const buttons = make('div', { class: 'row' })
  buttons.append(close, submit)
  form.append(name.label, email.label, comments.label, fault, buttons)
  dialog.append(
    make('h2', { id: 'title' }, text('title')),
    make('p', {}, `${text('subtitle')} ${text('subtitle2')}`.trim()),
    form,
  )
  root.append(dialog)
  document.body.append(host)

  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    host.remove()
    window.postMessage(closedMessage, '*')
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (comments.input.value.trim() === '') {
      fault.textContent = text('errorFormEntry')
      comments.input.focus()
      return
    }
    submit.disabled = true
    fault.textContent = ''
    const fields = new URLSearchParams({
      name: name.input.value,
      email: email.input.value,
      comments: comments.input.value,
      url: location.href,
    })
    fetch(action, { method: 'POST', body: fields, credentials: 'omit' })
      .then(response => {
        if (!response.ok) throw response.status
        const thanks = make('p', { role: 'status' }, text('successMessage'))
        const end = make('div', { class: 'row' })
        end.append(close)
        form.replaceWith(thanks, end)
        close.focus()
      })
      .catch(status => {
        submit.disabled = false
        fault.textContent = text(status === 400 ? 'errorFormEntry' : 'errorGeneric')
      })
  })
  dialog.showModal()
}

/** A sheet that is made by script is allowed by every content security policy; a style element is not. */
function addStyles(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  content = '',
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const key in attributes)
    if (attributes[key] !== '' || key === 'required') element.setAttribute(key, attributes[key] ?? '')
  if (content !== '') element.textContent = content
  return element
}

function field(
  tag: 'input' | 'textarea',
  name: string,
  attributes: Record<string, string>,
): { label: HTMLLabelElement; input: HTMLInputElement | HTMLTextAreaElement } {
  const label = make('label', {}, name)
  const input = make(tag, attributes)
  label.append(input)
  return { label, input }
}
