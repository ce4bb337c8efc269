/// How a piece of text looks on a terminal: a parameter of the escape sequence "select graphic rendition" (ECMA-48).
package enum TextStyle: Int, Sendable {
    case bold = 1
    case dim = 2
    case italic = 3
    case underline = 4
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case magenta = 35
    case cyan = 36
}
