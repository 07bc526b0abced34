/** Powers modulo a number, one at a time or in lists. Begin with {@link org.pingala.Pingala} and {@link org.pingala.Modulus}. */
package org.pingala;
