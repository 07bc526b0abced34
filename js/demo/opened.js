// Says what is missing if the modules of the page have not run after three seconds. It is no module itself: browsers load none from files.

(() => {
  const from = location.protocol === 'file:'
    ? 'This page was opened as a file, and browsers load modules from servers only.'
    : 'The modules of this page have not loaded yet. If they never do, the folder dist of the package is not beside the folder of this page.'
  const how = 'In a checkout of Pingala, type “make js”, then “python3 -m http.server -d target/js/package”, and open http://localhost:8000/demo/.'
  window.lateNotice = setTimeout(() => {
    const engine = document.getElementById('engine')
    engine.classList.add('wrong')
    engine.textContent = `${from} ${how}`
  }, 3000)
})()
