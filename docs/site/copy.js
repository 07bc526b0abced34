// A button on each example that copies it: of a session the lines that were typed, without prompts and answers.

/** What is typed of a session of Python; other text as it is. */
function typed (text) {
  const lines = text.replace(/\n$/, '').split('\n')
  const isSession = lines.some(line => line.startsWith('>>> '))
  return (isSession ? lines.filter(line => /^(>>>|\.\.\.)( |$)/.test(line)).map(line => line.slice(4)) : lines).join('\n')
}

function addButton (block) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy this example')
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(typed(block.querySelector('pre').textContent))
      button.textContent = 'Copied'
    } catch {
      // Pages that are opened as files may have no clipboard.
      button.textContent = 'Not allowed'
    }
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  }
  block.append(button)
}

document.addEventListener('DOMContentLoaded', () => {
  for (const block of document.querySelectorAll('article div.highlight')) addButton(block)
})
