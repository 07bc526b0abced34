/** Powers modulo a number, one at a time or in lists, by the library Pingala. */
module org.pingala {
    exports org.pingala;
}
